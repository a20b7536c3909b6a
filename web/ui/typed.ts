import { useEffect, useEffectEvent, useState } from 'react';

const restMs = 300;

/**
 * What is typed, told when the fingers rest. `said` is what holds elsewhere, such as in the address: when something else
 * changes it, the way back for one, that is shown.
 */
export function useTyped(said: string, tell: (text: string) => void): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(said);
  const [known, setKnown] = useState(said);
  const [told, setTold] = useState(said);
  if (known !== said) {
    setKnown(said);
    // What was told from here comes back perhaps without its spaces, while the next word is typed already.
    if (said.trim() !== told.trim()) {
      setText(said);
      setTold(said);
    }
  }
  const rest = useEffectEvent(() => {
    setTold(text);
    tell(text.trim());
  });
  useEffect(() => {
    if (text === told) return;
    const timer = setTimeout(rest, restMs);
    return () => clearTimeout(timer);
  }, [text, told]);
  // The way back may be taken before the page has followed what was told; then nothing that is said ever changes.
  useEffect(() => {
    const goBack = () => {
      setText(said);
      setTold(said);
    };
    addEventListener('popstate', goBack);
    return () => removeEventListener('popstate', goBack);
  }, [said]);
  return [text, setText];
}
