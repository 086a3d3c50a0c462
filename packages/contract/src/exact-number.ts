/**
 * A number of a JSON text that has more digits than a double carries. Where a decimal is stored or compared, its text counts
 * (contract/database-tables.md §9); everywhere else it is the number that `JSON.parse` would make of it.
 */
export class ExactNumber extends Number {
  /** As it was sent. */
  readonly text: string;

  constructor(text: string) {
    super(text);
    this.text = text;
  }
}
