// Stands in for device.cpp where there is no CUDA to build with.

#include "bench/cuda/device.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

[[noreturn]] void refuse() { throw Error("this program was built without CUDA", Error::Kind::device); }

}  // namespace

struct BenchDevice::State {};
BenchDevice::BenchDevice(std::optional<unsigned>) { refuse(); }
BenchDevice::~BenchDevice() = default;
Stream BenchDevice::stream() const { return nullptr; }
std::string BenchDevice::name() const { return ""; }
std::size_t BenchDevice::cache_bytes() const { return 0; }
void* BenchDevice::allocate(std::size_t, const char*) { refuse(); }
void BenchDevice::write(void*, const void*, std::size_t) { refuse(); }
void BenchDevice::read(void*, const void*, std::size_t) { refuse(); }
void BenchDevice::copy(void*, const void*, std::size_t) { refuse(); }
void BenchDevice::flush_caches() { refuse(); }
void BenchDevice::synchronize() { refuse(); }
void BenchDevice::hold() { refuse(); }
bool BenchDevice::let_go() { refuse(); }
void BenchDevice::start() { refuse(); }
void BenchDevice::stop() { refuse(); }
double BenchDevice::milliseconds() { refuse(); }
double BenchDevice::copy_bandwidth() { refuse(); }

}  // namespace lamella::cuda
