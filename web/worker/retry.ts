/** In the document that says that the service is away: loads the page again as soon as it answers. */
const RETRY = 1500;

async function retry(): Promise<void> {
  try {
    const { status } = await fetch("/api/alive");
    // Whatever else it says, such as that this browser is not let in any more, the page itself will show.
    if (status < 500) {
      window.location.reload();
      return;
    }
  } catch {
    // Still away.
  }
  window.setTimeout(() => void retry(), RETRY);
}

void retry();
