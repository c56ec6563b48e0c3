// Ways to an engine: each takes a packet and gives the packet that answers it.

/** Told how much of a packet has been sent, 0 to 1, where that takes time. */
export type OnSent = (part: number) => void;

export interface EnginePort {
  call(packet: Uint8Array<ArrayBuffer>, on_sent?: OnSent): Promise<Uint8Array>;
}

/** The engine in a worker of this page. */
export class WorkerPort implements EnginePort {
  private waiting = new Map<number, { resolve: (reply: Uint8Array) => void; reject: (why: Error) => void }>();
  private next = 0;
  private dead: Error | null = null;

  constructor(private worker: Worker) {
    worker.onmessage = (event: MessageEvent<{ id: number; reply?: Uint8Array; error?: string }>) => {
      const { id, reply, error } = event.data;
      const call = this.waiting.get(id);
      this.waiting.delete(id);
      if (reply) call?.resolve(reply);
      else this.fail(new Error(`The engine stopped: ${error}. Reload the page to start it again.`), call);
    };
    worker.onerror = (event) => {
      this.fail(new Error(`The engine stopped: ${event.message}. Reload the page to start it again.`));
    };
  }

  private fail(why: Error, call?: { reject: (why: Error) => void }): void {
    this.dead = why;
    call?.reject(why);
    for (const other of this.waiting.values()) other.reject(why);
    this.waiting.clear();
  }

  call(packet: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    if (this.dead) return Promise.reject(this.dead);
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, packet }, [packet.buffer]);
    });
  }
}

/** The engine of `lamella view`, behind HTTP on the address that the page came from. */
export class HttpPort implements EnginePort {
  /** Requests of a page may overtake each other; those of a session must not. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private token: string) {}

  call(packet: Uint8Array<ArrayBuffer>, on_sent?: OnSent): Promise<Uint8Array> {
    const reply = this.last.then(() => this.post(packet, on_sent));
    this.last = reply.catch(() => {});
    return reply;
  }

  /** By XMLHttpRequest, as fetch() does not tell how much has been sent. */
  private post(packet: Uint8Array<ArrayBuffer>, on_sent?: OnSent): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", `./call?token=${encodeURIComponent(this.token)}`);
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.responseType = "arraybuffer";
      if (on_sent) request.upload.onprogress = ({ loaded, total }) => on_sent(total > 0 ? loaded / total : 1);
      request.onload = () => {
        const reply = new Uint8Array(request.response as ArrayBuffer);
        if (request.status === 200) resolve(reply);
        else reject(new Error(`\`lamella view\` answers ${request.status}: ${new TextDecoder().decode(reply).trim()}`));
      };
      request.onerror = () =>
        reject(new Error("`lamella view` does not answer: was it stopped? Start it again, and open its new address."));
      request.send(packet);
    });
  }
}
