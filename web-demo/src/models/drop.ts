// Files that are dropped anywhere on the page.
import { hasFiles } from '../views/drops.js';

/** The class of the document's element while files are dragged over it. */
const dragging = 'models-dragging';

/** Takes files that are dropped while `isWanted`, unless something on the page takes them for itself. */
export function acceptDrops(isWanted: () => boolean, use: (files: readonly File[]) => void): void {
  const isFile = (event: DragEvent): boolean => !event.defaultPrevented && hasFiles(event);
  const show = (isShown: boolean): void => void document.documentElement.classList.toggle(dragging, isShown);
  addEventListener('dragover', (event) => {
    if (!isWanted()) return; // another page may want them
    const isTaken = isFile(event);
    show(isTaken);
    if (isTaken) event.preventDefault();
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) show(false); // out of the window
  });
  addEventListener('drop', (event) => {
    show(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (!isWanted() || !isFile(event) || files.length === 0) return;
    event.preventDefault();
    use(files);
  });
}
