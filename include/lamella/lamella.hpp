#pragma once

// Everything. One concept per header; include the ones you need instead where compile time matters.
#include "lamella/detector.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/grid.hpp"
#include "lamella/ldi.hpp"
#include "lamella/ldi_query.hpp"
#include "lamella/math.hpp"
#include "lamella/mesh.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/particles.hpp"
#include "lamella/query.hpp"
#include "lamella/response.hpp"
#include "lamella/scene.hpp"
#include "lamella/version.hpp"
#include "lamella/voi.hpp"
