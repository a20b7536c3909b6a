import type { ComponentProps } from 'react';
import styles from './Form.module.css';

interface Props extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Gets the values of the fields with a name. */
  onSubmit(values: FormData): unknown;
}

/** A form that the page handles; its fields are below each other. */
export const Form = ({ onSubmit, className = styles.form, ...rest }: Props) => (
  <form
    {...rest}
    className={className}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(new FormData(event.currentTarget));
    }}
  />
);
