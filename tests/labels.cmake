# Read by CTest when the tests of the program test_${program} are known: gives them labels, by their names.
#
#   PROGRAM   core, io, query … : `ctest -L query`
#   gpu       runs on a GPU where there is one
#   sanitize  for compute-sanitizer's memcheck, which takes tens of times as long: reaches every kernel, on small meshes
#   web       needs the viewer's page in the program: ./run test-web
#   race      for its racecheck, which takes longest: the smallest tests that reach every kernel
cmake_policy(VERSION 3.25)

set(gpu "Cuda|cuda|OpenGl|Gpu|gl_")
set(sanitize "^Cuda|Batches")
set(not_sanitize "^CudaRuntime|^CudaDevices|Memory|Random|TooMany|ManyQuestions|ThatFails")
set(race
  Batches.TwoBoxesThatShareAnEighth
  Batches.NoPairsPairsApartAndAMeshWithItself
  Batches.MeshesOnTheDeviceAreReadAnewInEveryRun
  Batches.BrokenAndEmptyMeshes
  CudaCounted.ColumnsOfEveryLengthComeOutInOrder
  CudaCounted.AColumnOfThousandsComesOutInOrder
  CudaDeviceScene.TwoBoxesShareTheirVolume
  CudaDeviceScene.TouchingObjectsDoNotCollide
  CudaDeviceScene.BrokenVerticesAreSkippedAndCounted
  CudaEnds.OfTwoBoxesAreTheFacesBetweenThem
  CudaEnds.OfTiesInCountedColumns
  CudaEngineGradients.OfTwoBoxesIsTheAreaBetweenThem
  CudaEngine.OneTriangleOverOneSample
  CudaEngine.ABoxAlongEveryAxis
  CudaEngine.BrokenVerticesOfKeptMeshesComeAndGo
  CudaEngine.AFrameThatIsRepeatedReadsItsOwnSpansBack
  CudaPairs.TwoBoxesShareTheirSpans
  CudaPairs.StretchesOfAnObjectThatMeetAtOneDepthAreOne
  CudaPairs.BrokenObjectsAreToldOfAlike
  CudaQueries.OneRayThroughTwoBoxes
  CudaQueries.NothingSampledIsAnEmptyAnswerWithAllFlagsZero
  CudaQueries.MoreSpansThanThereIsRoomForAreNotWritten
  CudaQuery.ThePairOfTheSmallestGrid
  CudaQuery.SpansAndAnswerAreOnTheDevice
  CudaQuery.NothingIsLegal
  CudaQuery.MoreLargePartsThanWereThoughtOf)

foreach(test IN LISTS test_${program}_TESTS)
  set(labels ${program})
  if(program STREQUAL "cuda" OR (NOT program STREQUAL "cuda_emulated" AND test MATCHES "${gpu}"))
    list(APPEND labels gpu)
  endif()
  if(program STREQUAL "cuda" AND test MATCHES "${sanitize}" AND NOT test MATCHES "${not_sanitize}")
    list(APPEND labels sanitize)
  endif()
  if(program STREQUAL "cuda" AND test IN_LIST race)
    list(APPEND labels race)
  endif()
  if(program STREQUAL "cli" AND test MATCHES "^(Html|View)\\.")
    list(APPEND labels web)
  endif()
  set_tests_properties("${test}" PROPERTIES LABELS "${labels}")
endforeach()

# The emulated tests are the same ones, and are everywhere: a name above that is no longer a test's fails.
if(program STREQUAL "cuda_emulated" AND test_cuda_emulated_TESTS)
  foreach(test IN LISTS race)
    if(NOT "emulated.${test}" IN_LIST test_cuda_emulated_TESTS)
      add_test("labels.cmake names ${test}, which is no test" no-such-test)
    endif()
  endforeach()
endif()
