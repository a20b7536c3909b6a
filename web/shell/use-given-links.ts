import { useEffect } from 'react';
import { isTyping } from '#web/ui/is-typing.ts';
import { extractLinks } from './extract-links.ts';

/** Passes on links that are pasted outside of fields or dropped onto the page. */
export function useDroppedLinks(isOn: boolean, onLinks: (text: string) => void) {
  useEffect(() => {
    if (!isOn) return;
    const acceptLinks = (data: DataTransfer | null) => {
      const extracted = extractLinks(data?.getData('text/uri-list') || data?.getData('text/plain') || '');
      if (extracted.length > 0) onLinks(extracted.join('\n'));
      return extracted.length > 0;
    };
    const onPaste = (event: ClipboardEvent) => {
      if (!isTyping(event)) acceptLinks(event.clipboardData);
    };
    const isLink = (event: DragEvent) => !isTyping(event) && event.dataTransfer?.types.includes('text/uri-list');
    const onDragOver = (event: DragEvent) => {
      if (isLink(event)) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      if (isLink(event) && acceptLinks(event.dataTransfer)) event.preventDefault();
    };
    document.addEventListener('paste', onPaste);
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('paste', onPaste);
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('drop', onDrop);
    };
  }, [isOn, onLinks]);
}
