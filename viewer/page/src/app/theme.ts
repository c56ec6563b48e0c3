// Light or dark: as the system says, until somebody chooses.

export class Theme {
  private system = matchMedia("(prefers-color-scheme: dark)");
  private chosen: boolean | null = null;

  constructor(private tell: (dark: boolean) => void) {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  toggle(): void {
    this.chosen = !this.dark;
    this.apply();
  }

  private get dark(): boolean {
    return this.chosen ?? this.system.matches;
  }

  private apply(): void {
    if (this.chosen !== null) document.documentElement.dataset.theme = this.chosen ? "dark" : "light";
    this.tell(this.dark);
  }
}
