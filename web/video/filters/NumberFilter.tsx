import { Field } from '#web/ui/Field.tsx';
import { useDebouncedInput } from '#web/ui/use-debounced-input.ts';

interface Props {
  label: string;
  value: number | undefined;
  onTyped(number: number | undefined): void;
  placeholder?: string;
  maxLength?: number;
}

/** Number field that applies its value after a short delay. */
export function NumberFilter({ value, onTyped, maxLength = 5, ...rest }: Props) {
  const [text, type] = useDebouncedInput(value === undefined ? '' : String(value), (typed) =>
    onTyped(typed === '' ? undefined : Number(typed)),
  );
  return (
    <Field
      {...rest}
      inputMode="numeric"
      maxLength={maxLength}
      value={text}
      onChange={(event) => type(event.target.value.replace(/\D/g, ''))}
    />
  );
}
