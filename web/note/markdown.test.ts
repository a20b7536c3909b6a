import { describe, expect, test } from 'vitest';
import { parseMarkdown, type MarkdownNode } from './markdown.ts';

/** HTML-like text of the result, for short expectations. */
const show = (nodes: MarkdownNode[]): string =>
  nodes
    .map((node) => {
      if ('children' in node) {
        const attribute = node.type === 'a' ? ` ${node.href}` : node.type === 'ol' ? ` ${node.start}` : '';
        return `<${node.type}${attribute}>${show(node.children)}</${node.type}>`;
      }
      if (node.type === 'text') return node.text;
      return 'text' in node ? `<${node.type}>${node.text}</${node.type}>` : `<${node.type}>`;
    })
    .join('');
const html = (source: string) => show(parseMarkdown(source));

test.each([
  ['**bold** and *italic*, ~~gone~~', '<p><strong>bold</strong> and <em>italic</em>, <del>gone</del></p>'],
  ['two\nlines', '<p>two<br>lines</p>'],
  ['# Title\n\ntext', '<p><strong>Title</strong></p><p>text</p>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['3. a\n4. b', '<ol 3><li>a</li><li>b</li></ol>'],
  ['- a\n  - b', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
  ['- [ ] a\n- [x] b', '<ul><li>☐ a</li><li>☑ b</li></ul>'],
  ['> said', '<blockquote><p>said</p></blockquote>'],
  ['`a < b` and\n\n```js\nx = 1\n```', '<p><code>a < b</code> and</p><pre>x = 1</pre>'],
  ['[here](https://a.example/?x=1&y=2)', '<p><a https://a.example/?x=1&y=2>here</a></p>'],
  ['see https://a.example.', '<p>see <a https://a.example>https://a.example</a>.</p>'],
  ['at 12:31 and \\*this\\*', '<p>at 12:31 and *this*</p>'],
])('parses %j', (source, expected) => expect(html(source)).toBe(expected));

const elements = (nodes: MarkdownNode[]): MarkdownNode[] =>
  nodes.flatMap((node) => [node, ...('children' in node ? elements(node.children) : [])]);
const depthOf = (nodes: MarkdownNode[]): number =>
  Math.max(0, ...nodes.map((node) => ('children' in node ? 1 + depthOf(node.children) : 1)));

describe('hostile texts', () => {
  test.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](java&#10;script:alert(1))',
    '[a](data:text/html,<b>x</b>)',
    '[a](vbscript:x)',
    '[a](file:///etc/passwd)',
    '[a](//a.example/)',
    '[a](/api/user/logout/)',
    '<javascript:alert(1)>',
    'me@a.example',
    '[a][b]\n\n[b]: javascript:alert(1)',
    'https://',
    '[a](https://)',
  ])('%j is no link', (source) => expect(elements(parseMarkdown(source)).filter(({ type }) => type === 'a')).toEqual([]));

  test.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '![a](https://a.example/x.png)',
    '|a|b|\n|-|-|\n|1|2|',
  ])('%j stays text', (source) => {
    expect(elements(parseMarkdown(source)).filter(({ type }) => type !== 'text' && type !== 'p')).toEqual([]);
    expect(html(source).replaceAll(/<\/?p>/g, '')).toBe(source);
  });

  const longest = 10_000;
  test.each([
    ['quotes', '>'.repeat(longest)],
    ['lists', '- '.repeat(longest / 2)],
    ['numbered lists', '1. '.repeat(longest / 3)],
    ['quotes and lists', '> - '.repeat(longest / 4)],
    ['indented lists', Array.from({ length: 130 }, (_, at) => `${'  '.repeat(at)}- a\n`).join('')],
    ['brackets', '['.repeat(longest)],
    ['emphasis', `${'*_'.repeat(longest / 4)}x${'_*'.repeat(longest / 4)}`],
    ['links', '[a](b) '.repeat(longest / 7)],
    ['spaces', `a${' '.repeat(longest - 2)}b`],
  ])('10,000 characters of nested %s are parsed to a shallow tree', (_, source) => {
    const nodes = parseMarkdown(source);
    expect(depthOf(nodes)).toBeLessThan(40);
  });
});
