import './style.css';

export const metadata = { title: 'Upright or on its head' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
