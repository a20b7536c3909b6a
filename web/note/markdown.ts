import { Lexer, type Token, type Tokens } from 'marked';

/** Markdown without HTML, images and addresses other than http and https: these stay text. */
export type MarkdownNode =
  | { type: 'text' | 'code' | 'pre'; text: string }
  | { type: 'br' | 'hr' }
  | { type: 'p' | 'strong' | 'em' | 'del' | 'blockquote' | 'ul' | 'li'; children: MarkdownNode[] }
  | { type: 'ol'; start: number; children: MarkdownNode[] }
  | { type: 'a'; href: string; children: MarkdownNode[] };

// Deeper nesting stays text.
const maxDepth = 12;

const text = (content: string): MarkdownNode => ({ type: 'text', text: content });

function link({ href, tokens, raw }: Tokens.Link, depth: number): MarkdownNode {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return text(raw);
  return { type: 'a', href, children: nodesOf(tokens, depth) };
}

function item({ task, checked, tokens }: Tokens.ListItem, depth: number): MarkdownNode {
  const children = nodesOf(tokens, depth);
  return { type: 'li', children: task ? [text(checked ? '☑ ' : '☐ '), ...children] : children };
}

function list({ ordered, start, items }: Tokens.List, depth: number): MarkdownNode {
  const children = items.map((one) => item(one, depth));
  return ordered ? { type: 'ol', start: Number(start) || 1, children } : { type: 'ul', children };
}

function nodeOf(token: Token, depth: number): MarkdownNode[] {
  if (depth > maxDepth) return [text(token.raw)];
  const inside = () => nodesOf((token as Tokens.Generic).tokens, depth + 1);
  switch (token.type) {
    case 'space':
    case 'checkbox':
      return [];
    case 'text':
      return token.tokens ? inside() : [text(token.text)];
    case 'escape':
      return [text(token.text)];
    case 'paragraph':
      return [{ type: 'p', children: inside() }];
    case 'heading':
      return [{ type: 'p', children: [{ type: 'strong', children: inside() }] }];
    case 'strong':
    case 'em':
    case 'del':
    case 'blockquote':
      return [{ type: token.type, children: inside() }];
    case 'br':
    case 'hr':
      return [{ type: token.type }];
    case 'codespan':
      return [{ type: 'code', text: token.text }];
    case 'code':
      return [{ type: 'pre', text: token.text }];
    case 'list':
      return [list(token as Tokens.List, depth + 1)];
    case 'link':
      return [link(token as Tokens.Link, depth + 1)];
    default:
      return [text(token.raw)];
  }
}

const nodesOf = (tokens: Token[] | undefined, depth: number): MarkdownNode[] =>
  (tokens ?? []).flatMap((token) => nodeOf(token, depth));

/** Parses Markdown as GitHub writes it; each end of a line is one in the result. What is nested too deep to parse stays text. */
export function parseMarkdown(source: string): MarkdownNode[] {
  try {
    return nodesOf(new Lexer({ gfm: true, breaks: true }).lex(source), 0);
  } catch {
    return [text(source)];
  }
}
