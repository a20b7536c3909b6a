import { useLingui } from '@lingui/react/macro';
import { Field } from '#web/ui/Field.tsx';

export function NewPasswordField({ name, ...more }: { name: string; autoFocus?: boolean; disabled?: boolean }) {
  const { t } = useLingui();
  return (
    <Field
      label={t`New password`}
      name={name}
      type="password"
      autoComplete="new-password"
      minLength={8}
      required
      help={t`At least 8 characters.`}
      {...more}
    />
  );
}
