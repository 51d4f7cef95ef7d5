/** Whether a name starts with a dot, also when invisible letters that some disks drop precede it. */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || name.replace(/\p{Cf}|\u034f/gu, '').startsWith('.');
}
