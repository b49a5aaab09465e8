/**
 * The files that somebody means who pastes. Programs of an office put a picture of a text beside the text: the text is meant then. A file
 * manager puts the names of the files beside them.
 */
export function pastedFiles(data: Pick<DataTransfer, "files" | "getData"> | null): File[] {
  const files = [...(data?.files ?? [])];
  const lines = (data?.getData("text/plain") ?? "").split(/[\r\n]+/u).filter((line) => line !== "");
  const isNamed = (line: string): boolean =>
    files.some(({ name }) => line === name || line.endsWith(`/${name}`));
  return lines.every((line) => isNamed(line)) ? files : [];
}
