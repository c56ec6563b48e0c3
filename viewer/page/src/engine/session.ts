// The engine as functions. Calls are answered one at a time, in the order in which they were made.

import { decode, encode } from "./packet.ts";
import type { EnginePort, OnSent } from "./port.ts";

/** The engine's own sentence about what went wrong. */
export class EngineError extends Error {}

export class Session {
  private pending = 0;
  private waiters: (() => void)[] = [];

  constructor(private port: EnginePort) {}

  /** Throws EngineError with the engine's message, or Error when there is no engine any more. */
  async call<Reply>(op: string, members: object = {}, on_sent?: OnSent): Promise<Reply> {
    ++this.pending;
    try {
      const reply = decode(await this.port.call(encode({ op, ...members }), on_sent)) as Reply & { error?: { message: string } };
      if (reply.error) throw new EngineError(reply.error.message);
      return reply;
    } finally {
      if (--this.pending === 0) for (const done of this.waiters.splice(0)) done();
    }
  }

  get busy(): boolean {
    return this.pending > 0;
  }

  /** Resolves when every call has been answered. */
  idle(): Promise<void> {
    return this.busy ? new Promise((resolve) => this.waiters.push(resolve)) : Promise.resolve();
  }
}
