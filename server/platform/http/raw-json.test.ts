import { expect, test } from 'vitest';
import { RawJson, serializeResponse } from './raw-json.ts';

const textOf = (response: unknown) => {
  const serialized = serializeResponse(response);
  return typeof serialized === 'string' ? serialized : String(Buffer.concat(serialized));
};
const rawJson = (value: unknown) => new RawJson(Buffer.from(JSON.stringify(value)));

test('inserts raw JSON in place of its value', () => {
  const list = ['ä', '"', '\\', '𝄞', '\u0000'];
  const response = {
    before: 'ü',
    missing: undefined,
    '"key"': rawJson(list),
    data: [{ two: rawJson([]) }, undefined, { two: rawJson([{ a: 1 }]), missing: undefined }],
    after: null,
  };
  expect(JSON.parse(textOf(response))).toEqual({
    before: 'ü',
    '"key"': list,
    data: [{ two: [] }, null, { two: [{ a: 1 }] }],
    after: null,
  });
  expect(JSON.parse(textOf([rawJson([1]), rawJson([2])]))).toEqual([[1], [2]]);
  expect(textOf(rawJson({ a: 1 }))).toBe('{"a":1}');
});

test('serializes other responses as JSON.stringify does', () => {
  expect(textOf({ a: ['x', undefined], b: undefined })).toBe('{"a":["x",null]}');
});

test('parses raw JSON', () => {
  expect(rawJson({ a: ['ä'] }).parse()).toEqual({ a: ['ä'] });
});
