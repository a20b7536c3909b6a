import { useRef, useState, type ReactNode, type RefObject } from 'react';

interface ButtonProps {
  ref: RefObject<HTMLButtonElement | null>;
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': boolean;
  onClick(): void;
}

interface Props {
  kind?: 'menu' | 'dialog';
  button(props: ButtonProps): ReactNode;
  /** An `OpenMenu` or `OpenPopover`, from a module that is loaded by this. */
  popup(props: { anchor: RefObject<HTMLButtonElement | null>; onClose(): void }): ReactNode;
}

/** A button, and its menu or popover, whose code and library are loaded when it opens. */
export function LazyPopup({ kind = 'menu', button, popup }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      {button({ ref: anchor, 'aria-haspopup': kind, 'aria-expanded': isOpen, onClick: () => setIsOpen((was) => !was) })}
      {isOpen && <>{popup({ anchor, onClose: () => setIsOpen(false) })}</>}
    </>
  );
}
