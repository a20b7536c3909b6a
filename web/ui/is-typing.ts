const fields = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=textbox]';

/** Whether a key event belongs to an input field or an open dialog. */
export function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.closest(`${fields}, dialog, [role=menu], [role=dialog]`) !== null;
}
