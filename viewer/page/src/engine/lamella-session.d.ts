// What build.mjs takes from --session DIR: lamella-session.js, or lamella-session-threads.js.
declare module "lamella-session" {
  export interface SessionModule {
    HEAPU8: Uint8Array;
    _lamella_session_new(threads: number, most_bytes: number): number;
    _lamella_session_request(session: number, size: number): number;
    _lamella_session_call(session: number, size: number): number;
    _lamella_session_reply_size(session: number): number;
    _lamella_session_error(): number;
  }
  export default function create(options: object): Promise<SessionModule>;
}
