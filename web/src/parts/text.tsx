/**
 * Text from agents is text: line breaks and code fences are shown, nothing is interpreted, and a link says where it
 * leads before anybody follows it.
 */
export function Text({ children }: { readonly children: string }) {
  const parts = children.split(/^```.*$/m);
  return (
    <div class="text">
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <pre key={index}>{part.replace(/^\n|\n$/g, '')}</pre>
        ) : (
          <p key={index}>{withLinks(part.trim())}</p>
        ),
      )}
    </div>
  );
}

function withLinks(text: string) {
  return text.split(/(https?:\/\/[^\s<>"')\]]+)/).map((part, index) => (index % 2 === 1 ? link(part, index) : part));
}

function link(address: string, key: number) {
  const host = URL.canParse(address) ? new URL(address).host : undefined;
  if (host === undefined) return address;
  return (
    <a key={key} href={address} rel="noopener noreferrer nofollow" target="_blank">
      {address} <span class="quiet">({host})</span>
    </a>
  );
}
