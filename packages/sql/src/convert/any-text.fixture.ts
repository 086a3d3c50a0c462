import fc from 'fast-check';

/** Half a pair is no character: what stands for two of them begins here, and there are so many. */
const pairs = { from: 0xd800, count: 0x800 };

const character = fc
  .integer({ min: 0, max: 0x10ffff - pairs.count })
  .map((number) => String.fromCodePoint(number < pairs.from ? number : number + pairs.count));

/** Texts of any characters there are. The unit `binary` of fast-check is the same and takes a second to be made. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: character }),
  fc.string({ unit: 'binary-ascii' }),
);
