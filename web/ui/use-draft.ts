import { useState } from 'react';

/**
 * Text of a field: what is typed and not saved yet, otherwise the saved value, also when it is changed elsewhere. Null as the new
 * text discards what is typed.
 */
export function useDraft(saved: string) {
  const [draft, setDraft] = useState<string | null>(null);
  if (draft === saved) setDraft(null);
  return { text: draft ?? saved, setDraft };
}
