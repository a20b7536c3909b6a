import { useEffect, useEffectEvent, useState } from 'react';

const debounceMs = 300;

/**
 * Input state that reports changes after a pause. `value` is the external state, such as a URL parameter; when it changes
 * from outside (browser back), the input follows.
 */
export function useDebouncedInput(value: string, onChange: (text: string) => void): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [reported, setReported] = useState(value);
  if (lastValue !== value) {
    setLastValue(value);
    // The reported text may come back trimmed while the user already types the next word.
    if (value.trim() !== reported.trim()) {
      setText(value);
      setReported(value);
    }
  }
  const report = useEffectEvent(() => {
    setReported(text);
    onChange(text.trim());
  });
  useEffect(() => {
    if (text === reported) return;
    const timer = setTimeout(report, debounceMs);
    return () => clearTimeout(timer);
  }, [text, reported]);
  // Browser back may happen before `value` has followed the report; then `value` never changes.
  useEffect(() => {
    const onPopState = () => {
      setText(value);
      setReported(value);
    };
    addEventListener('popstate', onPopState);
    return () => removeEventListener('popstate', onPopState);
  }, [value]);
  return [text, setText];
}
