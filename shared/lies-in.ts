/** Whether a path lies in a folder: both as the system's realpath gives them. */
export function liesIn(path: string, folder: string): boolean {
  const separator = folder.includes('/') ? '/' : '\\';
  return path.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}
