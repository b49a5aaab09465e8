import { connect, type Socket } from "node:net";

/**
 * Calls back, once, when nobody listens at the endpoint any more. The system closes an idle connection in the moment the
 * owner's process ends; when the owner itself closes one for being idle, another is opened.
 * @returns what ends the watch
 */
export function watchOwner(endpoint: string, onGone: () => void): () => void {
  let socket: Socket;
  let isStopped = false;
  const open = (): void => {
    let isConnected = false;
    socket = connect(endpoint, () => (isConnected = true));
    socket.on("error", () => {});
    socket.on("close", () => {
      if (isStopped) return;
      if (isConnected) open();
      else onGone();
    });
    // What the owner says when it closes is read, or the end is never seen. No reason to live on.
    socket.resume().unref();
  };
  open();
  return () => {
    isStopped = true;
    socket.destroy();
  };
}
