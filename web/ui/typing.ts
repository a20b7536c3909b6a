const fields = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=textbox]';

/** Whether a key is meant for something that is typed into, or for a question that is open. */
export function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.closest(`${fields}, dialog, [role=menu], [role=dialog]`) !== null;
}
