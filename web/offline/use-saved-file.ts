import { useEffect, useState } from 'react';
import { readSavedFile } from './saved-videos.ts';

/** Returns the object URL of a saved file; undefined until it is read. */
export function useSavedFile(id: string, name: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isOver = false;
    readSavedFile(id, name).then(
      (file) => {
        if (isOver) return;
        made = URL.createObjectURL(file);
        setUrl(made);
      },
      () => {}, // removed meanwhile
    );
    return () => {
      isOver = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [id, name]);
  return url;
}
