import { Fragment, useMemo, type ReactNode } from 'react';
import { RichPieces, useFold } from '#web/ui/RichText.tsx';
import { parseMarkdown, type MarkdownNode } from './markdown.ts';
import styles from './NoteText.module.css';

const foldedLines = 12;
const charactersOfLine = 90;

interface Props {
  text: string;
  durationSeconds: number;
  onSeek(seconds: number): void;
}

/** Text of a note: Markdown, whose times are buttons. */
export function NoteText({ text, durationSeconds, onSeek }: Props) {
  const nodes = useMemo(() => parseMarkdown(text), [text]);
  const isLong = text.split('\n').length > foldedLines || text.length > foldedLines * charactersOfLine;
  const { isFolded, button } = useFold(isLong);
  const render = (node: MarkdownNode, isLink = false): ReactNode => {
    switch (node.type) {
      case 'text':
        return isLink ? node.text : <RichPieces text={node.text} durationSeconds={durationSeconds} onSeek={onSeek} />;
      case 'code':
        return <code>{node.text}</code>;
      case 'pre':
        return (
          <pre tabIndex={0}>
            <code>{node.text}</code>
          </pre>
        );
      case 'br':
      case 'hr':
        return <node.type />;
      case 'a':
        return (
          <a href={node.href} target="_blank" rel="noopener noreferrer nofollow">
            {renderAll(node.children, true)}
          </a>
        );
      case 'ol':
        return <ol start={node.start}>{renderAll(node.children, isLink)}</ol>;
      default:
        return <node.type>{renderAll(node.children, isLink)}</node.type>;
    }
  };
  const renderAll = (all: MarkdownNode[], isLink = false) =>
    all.map((node, index) => <Fragment key={index}>{render(node, isLink)}</Fragment>);
  return (
    <>
      <div className={`${styles.text} ${isFolded ? styles.folded : ''}`} dir="auto">
        {renderAll(nodes)}
      </div>
      {button}
    </>
  );
}
