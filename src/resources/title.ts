// How a title reads in words.

/** The title in words: `order_items` and `orderItems` become `Order Items`. */
export function titleCased(title: string): string {
  return title
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .split(/[\s_\-./]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
