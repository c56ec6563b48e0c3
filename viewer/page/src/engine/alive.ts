// Tells `lamella view` that the page is there, so that it ends with the page. The server holds each request for a
// while; a new one follows at once.

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
    void poll();
  });
  async function poll(): Promise<void> {
    while (!gone) {
      try {
        if (!(await fetch(`./alive?${query}`, { cache: "no-store" })).ok) return;
      } catch {
        return; // the next question says that the server has gone
      }
    }
  }
  void poll();
}
