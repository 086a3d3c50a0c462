import fc from 'fast-check';

/** Half a pair is no character: what stands for two of them begins here, and there are so many. */
const surrogates = { from: 0xd800, count: 0x800 };

const character = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((number) => String.fromCodePoint(number < surrogates.from ? number : number + surrogates.count));

/** Texts of any characters there are. The unit `binary` of fast-check is the same and takes a second to be made. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: character }),
  fc.string({ unit: 'binary-ascii' }),
);
