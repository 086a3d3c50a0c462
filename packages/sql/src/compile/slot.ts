/** Stands for the value with this number in a query that is compiled for every value it may have. */
export class Slot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}
