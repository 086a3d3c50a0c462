import { expect, test } from 'vitest';
import { matchesTopic } from './topics.ts';

test.each([
  ['a/b', 'a/b', true],
  ['a/b', 'a/c', false],
  ['a/b', 'a/b/c', false],
  ['a/+', 'a/b', true],
  ['a/+', 'a/', true],
  ['a/+', 'a', false],
  ['+', 'a', true],
  ['+/+', '/a', true],
  ['a/#', 'a', true],
  ['a/#', 'a/b/c', true],
  ['#', 'a/b', true],
  ['#', '$SYS/a', false],
  ['+/a', '$SYS/a', false],
  ['$SYS/#', '$SYS/a', true],
])('%s stands for %s: %s', (filter, topic, expected) => expect(matchesTopic(filter, topic)).toBe(expected));
