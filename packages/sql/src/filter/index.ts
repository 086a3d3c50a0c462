// The query language of records: text in, a tree whose names are columns and whose values are typed out. No SQL here.
export { bindFilter, fillLookups } from './bind.ts';
export { parseFields, parseGroup, parseOrder, parseRecordOrder } from './lists.ts';
export { filterLengthLimit, filterTermLimit, filterValueLimit, parseFilter } from './parse.ts';
