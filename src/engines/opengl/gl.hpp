#pragma once

// The Khronos headers provide only types and constants. Every function is looked up at run time, so that the library
// links and runs on machines without OpenGL. Linked loaders (libepoxy, GLEW) end the program, or prevent its start,
// when something is missing.

#include <GL/glcorearb.h>

namespace lamella::opengl {

// clang-format off
#define LAMELLA_GL_FUNCTIONS(X)                                                                                     \
  X(AttachShader, ATTACHSHADER) X(BeginQuery, BEGINQUERY) X(BindBufferBase, BINDBUFFERBASE)                         \
  X(BindBuffer, BINDBUFFER) X(BindBufferRange, BINDBUFFERRANGE) X(BindFramebuffer, BINDFRAMEBUFFER) X(BindTextureUnit, BINDTEXTUREUNIT)       \
  X(BindVertexArray, BINDVERTEXARRAY) X(ClearNamedBufferSubData, CLEARNAMEDBUFFERSUBDATA)                           \
  X(ClearNamedFramebufferfi, CLEARNAMEDFRAMEBUFFERFI) X(ClearNamedFramebufferfv, CLEARNAMEDFRAMEBUFFERFV)           \
  X(ClientWaitSync, CLIENTWAITSYNC)                                                                                 \
  X(CompileShader, COMPILESHADER) X(CopyNamedBufferSubData, COPYNAMEDBUFFERSUBDATA)                                 \
  X(CreateBuffers, CREATEBUFFERS) X(CreateFramebuffers, CREATEFRAMEBUFFERS) X(CreateProgram, CREATEPROGRAM)         \
  X(CreateQueries, CREATEQUERIES) X(CreateShader, CREATESHADER) X(CreateTextures, CREATETEXTURES)                   \
  X(CreateVertexArrays, CREATEVERTEXARRAYS) X(CullFace, CULLFACE) X(DeleteBuffers, DELETEBUFFERS)                                         \
  X(DeleteFramebuffers, DELETEFRAMEBUFFERS) X(DeleteProgram, DELETEPROGRAM) X(DeleteQueries, DELETEQUERIES)         \
  X(DeleteShader, DELETESHADER) X(DeleteSync, DELETESYNC) X(DeleteTextures, DELETETEXTURES)                         \
  X(DeleteVertexArrays, DELETEVERTEXARRAYS) X(DepthFunc, DEPTHFUNC) X(Disable, DISABLE)                             \
  X(DispatchCompute, DISPATCHCOMPUTE) X(DrawArraysIndirect, DRAWARRAYSINDIRECT) X(DrawElementsIndirect, DRAWELEMENTSINDIRECT) X(Enable, ENABLE)                               \
  X(EnableVertexArrayAttrib, ENABLEVERTEXARRAYATTRIB) X(EndQuery, ENDQUERY) X(FenceSync, FENCESYNC)                 \
  X(Finish, FINISH) X(GenTextures, GENTEXTURES) X(TextureView, TEXTUREVIEW) X(FrontFace, FRONTFACE) X(GetError, GETERROR)                                                   \
  X(GetGraphicsResetStatus, GETGRAPHICSRESETSTATUS) X(GetInteger64v, GETINTEGER64V) X(GetIntegerv, GETINTEGERV)     \
  X(GetNamedBufferSubData, GETNAMEDBUFFERSUBDATA)                                                                   \
  X(GetProgramInfoLog, GETPROGRAMINFOLOG) X(GetProgramiv, GETPROGRAMIV)                                             \
  X(GetQueryObjectui64v, GETQUERYOBJECTUI64V) X(GetShaderInfoLog, GETSHADERINFOLOG) X(GetShaderiv, GETSHADERIV)     \
  X(GetString, GETSTRING) X(GetTextureSubImage, GETTEXTURESUBIMAGE) X(LinkProgram, LINKPROGRAM)                     \
  X(MapNamedBufferRange, MAPNAMEDBUFFERRANGE) X(MemoryBarrier, MEMORYBARRIER)                                       \
  X(NamedBufferData, NAMEDBUFFERDATA) X(NamedBufferStorage, NAMEDBUFFERSTORAGE)                                     \
  X(NamedBufferSubData, NAMEDBUFFERSUBDATA)                                                                         \
  X(NamedFramebufferDrawBuffer, NAMEDFRAMEBUFFERDRAWBUFFER)                                                         \
  X(NamedFramebufferParameteri, NAMEDFRAMEBUFFERPARAMETERI) X(NamedFramebufferReadBuffer, NAMEDFRAMEBUFFERREADBUFFER) \
  X(NamedFramebufferTexture, NAMEDFRAMEBUFFERTEXTURE) X(NamedFramebufferTextureLayer, NAMEDFRAMEBUFFERTEXTURELAYER) \
  X(PixelStorei, PIXELSTOREI) X(ProgramUniform1f, PROGRAMUNIFORM1F) X(ProgramUniform1i, PROGRAMUNIFORM1I)           \
  X(ProgramUniform1ui, PROGRAMUNIFORM1UI) X(ProgramUniform2i, PROGRAMUNIFORM2I) \
  X(QueryCounter, QUERYCOUNTER) X(ReadPixels, READPIXELS) X(Scissor, SCISSOR) X(ShaderSource, SHADERSOURCE)                 \
  X(StencilFunc, STENCILFUNC) X(StencilMask, STENCILMASK) X(StencilOp, STENCILOP)                                   \
  X(TextureBarrier, TEXTUREBARRIER) X(TextureParameteri, TEXTUREPARAMETERI) X(TextureStorage2D, TEXTURESTORAGE2D)                                     \
  X(TextureStorage3D, TEXTURESTORAGE3D) X(UseProgram, USEPROGRAM)                                                   \
  X(VertexArrayAttribBinding, VERTEXARRAYATTRIBBINDING) X(VertexArrayAttribFormat, VERTEXARRAYATTRIBFORMAT)         \
  X(VertexArrayElementBuffer, VERTEXARRAYELEMENTBUFFER) X(VertexArrayVertexBuffer, VERTEXARRAYVERTEXBUFFER)         \
  X(Viewport, VIEWPORT)
// clang-format on

/// The functions of OpenGL 4.5 that are used here: gl.Finish is glFinish.
struct Gl {
#define LAMELLA_GL_MEMBER(name, NAME) PFNGL##NAME##PROC name = nullptr;
  LAMELLA_GL_FUNCTIONS(LAMELLA_GL_MEMBER)
#undef LAMELLA_GL_MEMBER
};

}  // namespace lamella::opengl
