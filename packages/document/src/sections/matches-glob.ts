/** Whether a path fits a glob: `*` and `?` within a folder, `**` across folders. */
export function matchesGlob(glob: string, path: string): boolean {
  const pattern = glob.replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${pattern}$`, 's').test(path);
}
