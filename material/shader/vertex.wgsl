/*SU*/
/*MU*/
/*VD*/
/*CO*/
/*VI*/
/*VH*/
