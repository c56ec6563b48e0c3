// Stands in for device.cpp where there is no CUDA to build with. None is ever made; what calls one must link.

#include "bench/cuda/device.hpp"
#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

[[noreturn]] void refuse() { throw Error("this program was built without CUDA", Error::Kind::device); }

}  // namespace

struct CudaDevice::State {};
CudaDevice::CudaDevice(std::optional<unsigned>) { refuse(); }
CudaDevice::~CudaDevice() = default;
cuda::Stream CudaDevice::stream() const { refuse(); }
void* CudaDevice::allocate(std::size_t) { refuse(); }
void CudaDevice::write(void*, const void*, std::size_t) { refuse(); }
void CudaDevice::read(void*, const void*, std::size_t) { refuse(); }
void CudaDevice::copy(void*, const void*, std::size_t) { refuse(); }
void CudaDevice::flush_caches() { refuse(); }
void CudaDevice::synchronize() { refuse(); }
void CudaDevice::hold() { refuse(); }
bool CudaDevice::let_go() { refuse(); }
void CudaDevice::start() { refuse(); }
void CudaDevice::stop() { refuse(); }
double CudaDevice::milliseconds() { refuse(); }
double CudaDevice::copy_bandwidth() { refuse(); }

}  // namespace lamella::bench
