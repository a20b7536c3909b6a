import { useEffect, useState } from 'react';
import { isTyping } from '#web/ui/typing.ts';
import { linksIn } from './links-in.ts';

/** Links that somebody pastes anywhere but into a field, or drops onto the page. */
export function useGivenLinks(isOn: boolean) {
  const [links, setLinks] = useState<string[]>([]);
  useEffect(() => {
    if (!isOn) return;
    const take = (data: DataTransfer | null) => {
      const found = linksIn(data?.getData('text/uri-list') || data?.getData('text/plain') || '');
      if (found.length > 0) setLinks(found);
      return found.length > 0;
    };
    const paste = (event: ClipboardEvent) => {
      if (!isTyping(event)) take(event.clipboardData);
    };
    const isLink = (event: DragEvent) => !isTyping(event) && event.dataTransfer?.types.includes('text/uri-list');
    const over = (event: DragEvent) => {
      if (isLink(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (isLink(event) && take(event.dataTransfer)) event.preventDefault();
    };
    document.addEventListener('paste', paste);
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('paste', paste);
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, [isOn]);
  return { links, done: () => setLinks([]) };
}
