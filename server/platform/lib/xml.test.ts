import { expect, test } from 'vitest';
import { textElement, xml, xmlDocument } from './xml.ts';

test('escapes markup, quotes and line breaks', () => {
  expect(xml('a', { b: '<"&\'>\n' }, 'x < y & ]]> "z"\r').text).toBe(
    '<a b="&lt;&quot;&amp;&apos;&gt; ">x &lt; y &amp; ]]&gt; &quot;z&quot;&#13;</a>',
  );
});

test('removes characters that XML forbids and keeps others', () => {
  expect(xml('a', {}, 'a\0b\u0008c\ud800d\udc00e\ufffff').text).toBe('<a>abcdef</a>');
  expect(xml('a', {}, '東京 🎉\n\t').text).toBe('<a>東京 🎉\n\t</a>');
});

test('leaves out missing attributes and content', () => {
  expect(xml('a', { b: null, c: undefined, d: 0 }, null, false, [textElement('e', 0), textElement('f', null)]).text).toBe(
    '<a d="0"><e>0</e></a>',
  );
  expect(xmlDocument(xml('a', {}))).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<a/>\n');
});
