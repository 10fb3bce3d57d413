import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { getUser } from './get-user.ts';
import { listUsers } from './list-users.ts';
import { updateUser } from './update-user.ts';

export const userRoutes = [listUsers, createUser, getUser, updateUser, deleteUser];
