// Files that are dropped beside what takes them: a browser would leave the site to show them.

/** Whether what is dragged are files, not text of the page. */
export function hasFiles({ dataTransfer }: DragEvent): boolean {
  return !!dataTransfer?.types.includes('Files');
}

/** Refuses files that nothing on the page has taken, unless `isTaken` says that something will. */
export function refuseStrayFiles(isTaken: () => boolean): void {
  const refuse = (event: DragEvent): void => {
    if (event.defaultPrevented || !hasFiles(event) || isTaken()) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  };
  addEventListener('dragover', refuse);
  addEventListener('drop', refuse);
}
