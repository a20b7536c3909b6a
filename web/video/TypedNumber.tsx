import { Field } from '#web/ui/Field.tsx';
import { useTyped } from '#web/ui/typed.ts';

interface Props {
  label: string;
  value: number | undefined;
  onTyped(number: number | undefined): void;
  placeholder?: string;
  maxLength?: number;
}

/** A number that takes effect a moment after it was typed. */
export function TypedNumber({ value, onTyped, maxLength = 5, ...rest }: Props) {
  const [text, type] = useTyped(value === undefined ? '' : String(value), (typed) =>
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
