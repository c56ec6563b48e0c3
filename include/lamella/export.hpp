#pragma once

// LAMELLA_API marks what a shared library exports; everything else in it is hidden, and LAMELLA_LOCAL hides a class
// inside an exported one. On Windows, LAMELLA_SHARED says that the library is a DLL, and LAMELLA_BUILD,
// LAMELLA_BULLET_BUILD or LAMELLA_MPI_BUILD that this compilation is a part of it. CMake's targets define them.
#if !defined(_WIN32)
#define LAMELLA_API __attribute__((visibility("default")))
#define LAMELLA_BULLET_API LAMELLA_API
#define LAMELLA_MPI_API LAMELLA_API
#define LAMELLA_LOCAL __attribute__((visibility("hidden")))
#else
#define LAMELLA_LOCAL
#if !defined(LAMELLA_SHARED)
#define LAMELLA_API
#define LAMELLA_BULLET_API
#define LAMELLA_MPI_API
#else
#if defined(LAMELLA_BUILD)
#define LAMELLA_API __declspec(dllexport)
#else
#define LAMELLA_API __declspec(dllimport)
#endif
#if defined(LAMELLA_BULLET_BUILD)
#define LAMELLA_BULLET_API __declspec(dllexport)
#else
#define LAMELLA_BULLET_API __declspec(dllimport)
#endif
#if defined(LAMELLA_MPI_BUILD)
#define LAMELLA_MPI_API __declspec(dllexport)
#else
#define LAMELLA_MPI_API __declspec(dllimport)
#endif
#endif
#endif
