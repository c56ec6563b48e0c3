// Replaces all of this folder when the library is built without CUDA.

#include "engines/cuda/engines.hpp"
#include "lamella/cuda.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {

std::string unavailable() {
  return "this library was built without CUDA: LAMELLA_CUDA was off, or nvcc of CUDA 12 or newer was not found";
}

namespace {

[[noreturn]] void refuse() { throw Error(unavailable(), Error::Kind::device); }

}  // namespace

std::vector<std::string> device_lines() { return {}; }
void require_device(unsigned) { refuse(); }
std::unique_ptr<Engine> make_engine(const EngineOptions&) { refuse(); }
std::unique_ptr<PairFinder> make_pair_finder(const EngineOptions&) { refuse(); }
std::unique_ptr<ShiftFinder> make_shift_finder(const EngineOptions&) { refuse(); }
std::unique_ptr<BatchEngine> make_batch_engine(const EngineOptions&, const QueryOptions&) { refuse(); }

// None of these objects is ever made, but code that moves and destroys them must link.

struct Query::State {};
Query Query::intersect(const DeviceMesh&, const DeviceMesh&, const DeviceOptions&, bool) { refuse(); }
Query Query::self_intersect(const DeviceMesh&, const DeviceOptions&, bool) { refuse(); }
Query Query::contains(const DeviceMesh&, const DevicePoints&, const DeviceOptions&, std::uint8_t*) { refuse(); }
Query::Query(std::unique_ptr<State> state) : state_(std::move(state)) {}
Query::~Query() = default;
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;
void Query::launch(Stream) { refuse(); }
const Answer& Query::wait() { refuse(); }
const Answer* Query::device_answer() const { return nullptr; }
const Span* Query::device_spans() const { return nullptr; }
const Span* Query::device_inside_out() const { return nullptr; }
const std::uint8_t* Query::device_flags() const { return nullptr; }
std::size_t Query::device_bytes() const { return 0; }

struct PairBatch::State {};
PairBatch::PairBatch(std::span<const DeviceMesh>, const DeviceOptions&) { refuse(); }
PairBatch::~PairBatch() = default;
PairBatch::PairBatch(PairBatch&&) noexcept = default;
PairBatch& PairBatch::operator=(PairBatch&&) noexcept = default;
void PairBatch::launch(std::span<const BatchPair>, Stream) { refuse(); }
void PairBatch::launch_gradients(std::span<const BatchPair>, Stream) { refuse(); }
std::span<const PairOverlap> PairBatch::wait() { refuse(); }
std::span<const PairGradient> PairBatch::wait_gradients() { refuse(); }
const PairGradient* PairBatch::device_gradients() const { return nullptr; }
const PairOverlap* PairBatch::device_answers() const { return nullptr; }

struct SelfBatch::State {};
SelfBatch::SelfBatch(std::span<const DeviceMesh>, const DeviceOptions&, Vec3*) { refuse(); }
SelfBatch::~SelfBatch() = default;
SelfBatch::SelfBatch(SelfBatch&&) noexcept = default;
SelfBatch& SelfBatch::operator=(SelfBatch&&) noexcept = default;
void SelfBatch::launch(Stream) { refuse(); }
std::span<const BodyOverlap> SelfBatch::wait() { refuse(); }
const BodyOverlap* SelfBatch::device_answers() const { return nullptr; }
const Vec3* SelfBatch::device_gradients() const { return nullptr; }

struct GradientBatch::State {};
GradientBatch::GradientBatch(std::span<const std::array<DeviceMesh, 2>>, const DeviceOptions&, Vec3*) { refuse(); }
GradientBatch::~GradientBatch() = default;
GradientBatch::GradientBatch(GradientBatch&&) noexcept = default;
GradientBatch& GradientBatch::operator=(GradientBatch&&) noexcept = default;
void GradientBatch::launch(Stream) { refuse(); }
std::span<const BodyOverlap> GradientBatch::wait() { refuse(); }
std::span<const GradientSums> GradientBatch::sums() const { return {}; }
const BodyOverlap* GradientBatch::device_answers() const { return nullptr; }
const Vec3* GradientBatch::device_gradients() const { return nullptr; }

struct DeviceScene::State {};
DeviceScene::DeviceScene(std::span<const DeviceMesh>, const DeviceSceneOptions&) { refuse(); }
DeviceScene::~DeviceScene() = default;
DeviceScene::DeviceScene(DeviceScene&&) noexcept = default;
DeviceScene& DeviceScene::operator=(DeviceScene&&) noexcept = default;
void DeviceScene::launch(Stream) { refuse(); }
const DeviceSceneAnswer& DeviceScene::wait() { refuse(); }
const DeviceSceneAnswer* DeviceScene::device_answer() const { return nullptr; }
const DevicePair* DeviceScene::device_pairs() const { return nullptr; }
const CollisionPoint* DeviceScene::device_points() const { return nullptr; }
void DeviceScene::read(std::vector<DevicePair>&, std::vector<CollisionPoint>&) const { refuse(); }

}  // namespace lamella::cuda
