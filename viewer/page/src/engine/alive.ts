// Tells `lamella view` that the page is there, so that it ends with the page. The server holds each request for a
// while; a new one follows at once. Of the pages in a browser one asks for all: each request that is held takes one of
// the six connections that a browser has to a server, and with six pages nothing else would get through.

export function keep_alive(token: string): void {
  const query = `token=${encodeURIComponent(token)}`;
  let gone = false;
  addEventListener("pagehide", () => {
    gone = true;
    navigator.sendBeacon(`./bye?${query}`);
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    gone = false;
    ask();
  });
  /** As soon as no other page of this browser does. The lock goes on to the next page when this one ends. */
  function ask(): void {
    const locks: LockManager | undefined = navigator.locks; // browsers have them on the loopback address; Safari may not
    if (locks) void locks.request("lamella view", poll);
    else void poll();
  }
  async function poll(): Promise<void> {
    while (!gone) {
      try {
        if (!(await fetch(`./alive?${query}`, { cache: "no-store" })).ok) return;
      } catch {
        return; // the next question says that the server has gone
      }
    }
  }
  ask();
}
