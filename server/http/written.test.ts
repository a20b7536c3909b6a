import { expect, test } from 'vitest';
import { answerPieces, Written } from './written.ts';

const answerText = (answer: unknown) => {
  const said = answerPieces(answer);
  return typeof said === 'string' ? said : String(Buffer.concat(said));
};
const written = (value: unknown) => new Written([Buffer.from(JSON.stringify(value))]);

test('what is written already stands in the answer where its value would', () => {
  const list = ['ä', '"', '\\', '𝄞', '\u0000'];
  const answer = { before: 'ü', one: written(list), data: [{ two: written([]) }, { two: written([{ a: 1 }]) }], after: null };
  expect(JSON.parse(answerText(answer))).toEqual({
    before: 'ü',
    one: list,
    data: [{ two: [] }, { two: [{ a: 1 }] }],
    after: null,
  });
  expect(JSON.parse(answerText([written([1]), written([2])]))).toEqual([[1], [2]]);
});

test('an answer without it is as it always was, also after one that could not be written', () => {
  const loop: Record<string, unknown> = { one: written([1]) };
  loop['self'] = loop;
  expect(() => answerText(loop)).toThrow(/circular/i);
  expect(answerText({ a: ['x'] })).toBe('{"a":["x"]}');
});
