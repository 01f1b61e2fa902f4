/* The package that speaks SMTP. It is large, so the build keeps it in a file of its own, loaded with the first mail. */
export { createTransport } from 'nodemailer';
