// Prints filter trees for property tests: every group in parentheses, every text in quotes.
import type { FilterNode, FilterValue } from '../query/index.ts';

/** A text that parses to the same tree. */
export function printFilter(node: FilterNode): string {
  const not = (negated: boolean) => (negated ? ' not' : '');
  switch (node.kind) {
    case 'not':
      return `not (${printFilter(node.node)})`;
    case 'and':
    case 'or':
    case 'xor':
    case 'nor':
      return `(${printFilter(node.left)}) ${node.kind} (${printFilter(node.right)})`;
    case 'null':
      return `${node.field} is${not(node.negated)} null`;
    case 'in':
      return `${node.field}${not(node.negated)} in (${node.values.map(printValue).join(', ')})`;
    case 'between':
      return `${node.field}${not(node.negated)} between ${printValue(node.low)} and ${printValue(node.high)}`;
    case 'compare':
      return `${node.field}${not(node.negated)} ${node.operator} ${printValue(node.value)}`;
  }
}

function printValue(value: FilterValue): string {
  switch (value.kind) {
    case 'param':
      return value.name;
    case 'function':
      return `(${value.text})`;
    case 'text':
      return value.quoted ? `'${value.text.replaceAll("'", "''")}'` : value.text;
  }
}
