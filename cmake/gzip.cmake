# cmake -DIN=FILE -DOUT=FILE.gz -P gzip.cmake: compresses, without a program that might not be there.
file(ARCHIVE_CREATE OUTPUT ${OUT} PATHS ${IN} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
