import { useLingui } from '@lingui/react/macro';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { IconButton } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';

/** A new password, hidden until its button is pressed: a typo would lock its owner out. */
export function NewPasswordField({ name, ...more }: { name: string; autoFocus?: boolean; disabled?: boolean }) {
  const { t } = useLingui();
  const [isVisible, setIsVisible] = useState(false);
  return (
    <Field
      label={t`New password`}
      name={name}
      type={isVisible ? 'text' : 'password'}
      autoComplete="new-password"
      autoCapitalize="none"
      spellCheck={false}
      minLength={8}
      required
      help={t`At least 8 characters.`}
      button={
        <IconButton label={isVisible ? t`Hide what is typed` : t`Show what is typed`} onClick={() => setIsVisible(!isVisible)}>
          {isVisible ? <IconEyeOff aria-hidden /> : <IconEye aria-hidden />}
        </IconButton>
      }
      {...more}
    />
  );
}
